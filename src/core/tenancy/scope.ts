declare const checked: unique symbol;

/**
 * A project that the caller may see. Only the functions below create one, after a check; `tests/structure.test.ts`
 * lists who may call them.
 */
export type ProjectScope = {
  readonly projectId: string;
  /** The project's number in the event store. */
  readonly no: number;
  readonly organizationId: string;
  readonly [checked]: 'project';
};

/** An organization of which the caller is a member. */
export type OrganizationScope = { readonly organizationId: string; readonly [checked]: 'organization' };

type ProjectIds = Omit<ProjectScope, typeof checked>;

/** For guards, after checking that the caller may see this project. */
export const checkedProject = ({ projectId, no, organizationId }: ProjectIds): ProjectScope =>
  ({ projectId, no, organizationId }) as ProjectScope;

/** For guards, after checking that the caller is a member of this organization. */
export const checkedOrganization = (organizationId: string): OrganizationScope =>
  ({ organizationId }) as OrganizationScope;

/** Creates the scope of a project that was read as part of the caller's organization. */
export const projectWithin = (
  { organizationId }: OrganizationScope,
  { projectId, no }: Pick<ProjectIds, 'projectId' | 'no'>,
): ProjectScope => checkedProject({ projectId, no, organizationId });

/** For work without a caller: commands of the operator, and jobs. Routes must not use it. */
export const operatorScope = ({
  id,
  no,
  organizationId,
}: Omit<ProjectIds, 'projectId'> & { readonly id: string }): ProjectScope =>
  checkedProject({ projectId: id, no, organizationId });

/** Scope of reads that need a project and its organization's own rows, such as prices. */
export const ofProject = ({
  no,
  organizationId,
}: Pick<ProjectScope, 'no' | 'organizationId'>): { projects: number[]; organizationId: string } => ({
  projects: [no],
  organizationId,
});
