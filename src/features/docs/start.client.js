// Swagger UI has colours for a dark scheme, which this class chooses.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const choose = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', choose);
choose();

const isObject = (part) => typeof part === 'object' && part !== null;
const keyOf = (text) => decodeURIComponent(text).replaceAll('~1', '/').replaceAll('~0', '~');
const partAt = (spec, path) => path.reduce((part, key) => part?.[key], spec);

/** A part of the document `spec` with what its references lead to in their place, but for those that lead to themselves. */
function resolved(spec, part, above = []) {
  if (Array.isArray(part)) return part.map((one) => resolved(spec, one, above));
  if (!isObject(part)) return part;
  const { $ref } = part;
  if (typeof $ref !== 'string')
    return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, resolved(spec, one, above)]));
  if (above.includes($ref)) return part;
  const named = partAt(spec, $ref.slice(2).split('/').map(keyOf));
  // Swagger UI takes the name that it shows from there.
  return { ...resolved(spec, named, [...above, $ref]), $$ref: $ref };
}

// Swagger UI's own would walk through the whole document for seconds, to find references that this one has not.
const resolveSubtree = async (spec, path) => ({
  spec: resolved(spec, partAt(spec, path)),
  errors: [],
});

// Without a validator: the page asks nobody but this server.
window.SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#ui',
  deepLinking: true,
  // The title of an operation is a button, which must not contain a link.
  plugins: [
    () => ({
      fn: { resolveSubtree },
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
