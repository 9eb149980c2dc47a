/** The bundler gives the URL that the file is served at. */
declare module '*?url' {
  const url: string;
  export default url;
}
