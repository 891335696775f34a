declare const checked: unique symbol;

/**
 * A project that somebody checked the caller may see. A literal does not make one: the functions below do, and
 * `tests/structure.test.ts` says who may call them.
 */
export type ProjectScope = {
  readonly projectId: string;
  /** The project's number in the event store. */
  readonly no: number;
  readonly organizationId: string;
  readonly [checked]: 'project';
};

/** An organization that somebody checked the caller is a member of. */
export type OrganizationScope = { readonly organizationId: string; readonly [checked]: 'organization' };

type ProjectIds = Omit<ProjectScope, typeof checked>;

/** For guards: the caller proved that they may see this project. */
export const checkedProject = ({ projectId, no, organizationId }: ProjectIds): ProjectScope =>
  ({ projectId, no, organizationId }) as ProjectScope;

/** For guards: the caller proved that they are a member of this organization. */
export const checkedOrganization = (organizationId: string): OrganizationScope =>
  ({ organizationId }) as OrganizationScope;

/** A project that was read as one of an organization which the caller may see. */
export const projectWithin = (
  { organizationId }: OrganizationScope,
  { projectId, no }: Pick<ProjectIds, 'projectId' | 'no'>,
): ProjectScope => checkedProject({ projectId, no, organizationId });

/** For work without a caller to check: the operator at the command line, and jobs. Routes never use it. */
export const operatorScope = ({
  id,
  no,
  organizationId,
}: Omit<ProjectIds, 'projectId'> & { readonly id: string }): ProjectScope =>
  checkedProject({ projectId: id, no, organizationId });

/** The scope of reads that look at a project and at what its organization has of its own, such as prices. */
export const ofProject = ({
  no,
  organizationId,
}: Pick<ProjectScope, 'no' | 'organizationId'>): { projects: number[]; organizationId: string } => ({
  projects: [no],
  organizationId,
});
