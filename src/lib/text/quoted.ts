/** A name in a sentence, in quotation marks that it cannot end itself. */
export const quoted = (text: string): string => `“${text.replaceAll(/[“”]/g, "'")}”`;
