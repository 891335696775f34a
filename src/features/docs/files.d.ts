declare module 'swagger-ui-dist/*' {
  const path: string;
  export default path;
}

declare module '*.md' {
  const text: string;
  export default text;
}

declare module '*/reference.css' {
  const text: string;
  export default text;
}

declare module '*/text.css' {
  const text: string;
  export default text;
}

declare module '*.client.js' {
  const text: string;
  export default text;
}
