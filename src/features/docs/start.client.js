// Without a validator: the page asks nobody but this server.
window.SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#ui',
  deepLinking: true,
  validatorUrl: null,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
});
