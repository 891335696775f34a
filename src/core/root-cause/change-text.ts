const WORDS: Readonly<Record<string, string>> = { api: 'API', sdk: 'SDK' };

/**
 * What was changed, in words: `project.api_key_created` of `api_key backend` is `API key backend created`.
 * @param action action of the audit log; its last word says what was done
 * @param subject type and name of the subject; without one the action's own words stand for it
 */
export function changeText(action: string, subject: string): string {
  const words = action.split(/[._]/);
  const done = words.pop() ?? '';
  const [type = '', ...name] = subject === '' ? [words.join('_')] : subject.split(' ');
  const noun = type
    .split('_')
    .map((word) => WORDS[word] ?? word)
    .join(' ');
  return [`${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}`, ...name, done].join(' ');
}
