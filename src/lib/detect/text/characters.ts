/** Classes of the characters of ASCII, as bits; those of a regular expression without its flag `u`. */
export const DIGIT = 1;
export const LETTER = 2;
/** Letters, digits and the underscore: `\w`. */
export const WORD = 4;
/** What encoded values are made of: the alphabets of Base64 and its padding. */
export const VALUE = 8;
/** Space and tab. */
export const BLANK = 16;
/** What stands before a line that is quoted or in a list. */
export const QUOTING = 32;

const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  const has = (pattern: RegExp, bit: number): number => (pattern.test(character) ? bit : 0);
  return (
    has(/\d/, DIGIT) |
    has(/[A-Za-z]/, LETTER) |
    has(/\w/, WORD) |
    has(/[\w+/=-]/, VALUE) |
    has(/[ \t]/, BLANK) |
    has(/[ \t>|#*"']/, QUOTING)
  );
});

/** The classes of a UTF-16 unit; 0 if it is not of ASCII. */
export const classOf = (code: number): number => (code < 128 ? (CLASSES[code] as number) : 0);
