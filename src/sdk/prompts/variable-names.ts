type Blank = ' ' | '\n' | '\t' | '{';
type Trim<T extends string> = T extends `${Blank}${infer R}`
  ? Trim<R>
  : T extends `${infer R}${Blank}`
    ? Trim<R>
    : T;
type NameOf<T extends string> = Trim<T> extends `${'>' | "'" | '"'}${string}` ? never : Trim<T>;

/**
 * The variables of a template that is a literal, as a union of their names: `VariableNames<'Hi {{name}}'>` is
 * `'name'`. Includes are left out, because only the server knows their variables. `string` for any other template.
 */
export type VariableNames<T extends string> = string extends T
  ? string
  : T extends `${string}{{${infer Name}}}${infer Rest}`
    ? NameOf<Name> | VariableNames<Rest>
    : never;
