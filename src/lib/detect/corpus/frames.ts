/** Sentences in several languages, around a value of any kind. */
export const PROSE: readonly string[] = [
  'Please update the account of {} before Friday.',
  'Hi, it is {}. Thanks!',
  'Ich habe Ihnen {} schon genannt, bitte prüfen Sie das.',
  'Bonjour, voici {}, merci de confirmer.',
  'Hola, le envío {} para el pago.',
  'Ciao, ecco {}: grazie mille.',
  'Olá, segue {}, obrigado.',
  'こんにちは、{} です。',
  'Здравствуйте, вот {}.',
  '["user", "{}", true]',
  '| name | value |\n| Jane | {} |',
  'FW: see below\n> {}\n> Best, Tom',
];

/** Lines of code and configuration, around a credential. */
export const CODE: readonly string[] = [
  'export API_TOKEN={}',
  "const client = createClient('{}');",
  'curl -H "Authorization: Bearer {}" https://api.test/v1',
  'Can you debug this? key = "{}"',
  'Mein Schlüssel ist {} und er geht nicht.',
  'token: {}\nregion: eu-west-1',
  '["key", "{}"]',
  'ERROR 401 for {} at line 12',
  'I pasted {} by mistake, what now?',
];
