// Swagger UI has colours for a dark scheme, which this class chooses.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const choose = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', choose);
choose();
// Without a validator: the page asks nobody but this server.
window.SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#ui',
  deepLinking: true,
  // The title of an operation is a button, which must not contain a link.
  plugins: [
    () => ({
      wrapComponents: {
        DeepLink:
          (_Link, { React }) =>
          ({ text }) =>
            React.createElement('span', null, text),
      },
    }),
  ],
  validatorUrl: null,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
});
