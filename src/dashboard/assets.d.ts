// The more particular pattern first: the first that fits is taken.
declare module '*.module.css' {
  /** The class names of a style module, by the names that its file gives them. */
  const names: Readonly<Record<string, string>>;
  export default names;
}
declare module '*.css' {}
