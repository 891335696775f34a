// The first-run page: turns the token of the link and the form into an owner.
const form = document.getElementById('form');
const lead = document.getElementById('lead');
const error = document.getElementById('error');
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
history.replaceState(null, '', '/setup');
if (token === '') {
  lead.textContent =
    'This page needs the whole link that "spanledger serve" prints. Open it from there once more.';
  form.hidden = true;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  error.textContent = '';
  const body = JSON.stringify({ token, ...Object.fromEntries(new FormData(form)) });
  try {
    const response = await fetch('/v1/auth/setup', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const reply = await response.json();
    if (!response.ok) throw new Error(reply.error);
    show(reply.apiKey);
  } catch (reason) {
    error.textContent = reason.message;
  }
});

function show(apiKey) {
  document.getElementById('key').textContent = apiKey;
  document.getElementById('curl').textContent =
    `curl ${location.origin}/v1/ingest -H 'x-api-key: ${apiKey}' \\\n` +
    `  --data-binary '{"provider":"openai","model":"gpt-4o","input_tokens":1200,"output_tokens":48}'`;
  lead.textContent = 'You are the owner.';
  form.hidden = true;
  document.getElementById('done').hidden = false;
}
