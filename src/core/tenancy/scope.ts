/**
 * Marks a scope whose access was checked. TypeScript omits private members from a spread, so neither a literal nor a
 * changed copy has this type; it has no value at run time. Only the functions of this file create scopes.
 */
declare class Checked<Kind extends string> {
  private readonly checked: Kind;
}

type ProjectIds = {
  readonly projectId: string;
  /** The project's number in the event store. */
  readonly no: number;
  readonly organizationId: string;
};

/** A project that the caller may see. */
export type ProjectScope = ProjectIds & Checked<'project'>;

/** An organization of which the caller is a member. */
export type OrganizationScope = { readonly organizationId: string } & Checked<'organization'>;

/**
 * The projects whose events the caller may read, by number. `owner`: the organization that has them, whose reads share
 * the readers fairly with those of others.
 */
export type EventScope = { readonly projects: readonly number[]; readonly owner: string } & Checked<'events'>;

/** For guards, after checking that the caller may see this project. */
export const checkedProject = ({ projectId, no, organizationId }: ProjectIds): ProjectScope =>
  ({ projectId, no, organizationId }) as ProjectScope;

/** For guards, after checking that the caller is a member of this organization. */
export const checkedOrganization = (organizationId: string): OrganizationScope =>
  ({ organizationId }) as OrganizationScope;

/**
 * The scope with more about its project or organization, such as the settings of a key. The scope's own properties
 * replace equal names in `more`.
 */
export const extendScope = <S extends ProjectScope | OrganizationScope, More extends object>(
  scope: S,
  more: More,
): S & More => ({ ...more, ...scope }) as S & More;

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

/** Like `operatorScope`, for an organization. */
export const operatorOrganization = (organizationId: string): OrganizationScope =>
  checkedOrganization(organizationId);

/** Scope of reads that need a project's events and its organization's own rows, such as prices. */
export const ofProject = (scope: ProjectScope): EventScope & { readonly organizationId: string } =>
  Object.assign(ofProjects([scope]), { organizationId: scope.organizationId });

/** Scope of reads over several projects of an organization; without projects they find nothing. */
export const ofProjects = (scopes: readonly ProjectScope[]): EventScope => {
  const projects = scopes.map(({ no }) => no);
  return { projects, owner: scopes[0]?.organizationId ?? '' } as Pick<
    EventScope,
    'projects' | 'owner'
  > as EventScope;
};
