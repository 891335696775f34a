/** The value of a name that somebody else chose: `constructor` is none that a table has, though `table[name]` gives one. */
export const lookUp = <V>(table: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
