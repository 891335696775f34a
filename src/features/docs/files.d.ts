declare module 'swagger-ui-dist/*' {
  const path: string;
  export default path;
}

declare module '*.client.js' {
  const text: string;
  export default text;
}
