/** What each version answered of its own file; later ones have to answer the same. */
export const QUESTIONS: readonly (readonly string[])[] = [
  ['report', 'costs'],
  ['report', 'overview'],
  ['report', 'performance'],
  ['report', 'errors'],
  ['report', 'users'],
  ['events', 'list', '--limit', '20'],
];
