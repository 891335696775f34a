/** Fields of a request that go to a model as text. */
const REQUEST_FIELDS = [
  'messages',
  'input',
  'instructions',
  'system',
  'prompt',
  'prediction',
  'suffix',
  'contents',
] as const;
/** Fields of a reply that a model wrote. */
const REPLY_FIELDS = [
  'choices',
  'content',
  'output',
  'output_text',
  'candidates',
  'message',
  'text',
  'segments',
] as const;

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const pick = (value: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])));

/** The system prompt stands outside of the messages; it is the application's own text. */
const withRoles = ({ instructions, system, ...rest }: Fields): Fields => ({
  ...(instructions !== undefined && { instructions: { role: 'system', content: instructions } }),
  ...(system !== undefined && { system: { role: 'system', content: system } }),
  ...rest,
});
const withoutRoles = ({ instructions, system, ...rest }: Fields): Fields => ({
  ...(instructions !== undefined && { instructions: (instructions as Fields).content }),
  ...(system !== undefined && { system: (system as Fields).content }),
  ...rest,
});

/** The body of a request whose texts were checked. */
export async function withFields(body: Fields, apply: (content: Fields) => Promise<Fields>): Promise<Fields> {
  if (body instanceof FormData) return withFormFields(body, apply);
  const given = pick(body, REQUEST_FIELDS);
  if (Object.keys(given).length === 0) return body;
  const roles = withRoles(given);
  const checked = await apply(roles);
  return checked === roles ? body : { ...body, ...withoutRoles(checked) };
}

/** A form with a file, as images and sound are sent: its texts are fields of their own. */
async function withFormFields(
  form: FormData,
  apply: (content: Fields) => Promise<Fields>,
): Promise<Fields & FormData> {
  const given = Object.fromEntries(
    REQUEST_FIELDS.flatMap((name) => {
      const value = form.get(name);
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
  const same = form as Fields & FormData;
  if (Object.keys(given).length === 0) return same;
  const checked = await apply(given);
  if (checked === given) return same;
  const copy = new FormData();
  for (const [name, value] of form.entries() as Iterable<[string, string | File]>) {
    const text = checked[name];
    if (typeof value !== 'string') copy.append(name, value, value.name);
    else copy.append(name, typeof text === 'string' ? text : value);
  }
  return copy as Fields & FormData;
}

/** Checks the texts of a reply and replaces those that changed. An object stays the same; a text has no place to stay. */
export async function replaceTexts(
  value: unknown,
  apply: (content: Fields) => Promise<Fields>,
): Promise<unknown> {
  if (typeof value === 'string') return (await apply({ text: value })).text;
  if (!isObject(value)) return value;
  const given = pick(value, REPLY_FIELDS);
  if (Object.keys(given).length === 0) return value;
  const checked = await apply(given);
  if (checked !== given) copyInto(value as Record<string, unknown>, checked);
  return value;
}

/** Writes the changed texts of a copy into the original, which may have properties that no copy has. */
function copyInto(target: Record<string, unknown> | unknown[], source: unknown): void {
  const into = target as Record<string, unknown>;
  for (const [name, value] of Object.entries(source as object)) {
    const own = into[name];
    if (typeof own === 'object' && own !== null) copyInto(own as Record<string, unknown>, value);
    else if (own !== value) Reflect.set(into, name, value);
  }
}
