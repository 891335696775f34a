import { foldText } from './fold.ts';

/** A pattern with letters of any script, for use on folded text. */
export const foldPattern = ({ source, flags }: RegExp): RegExp =>
  new RegExp(foldText(unescaped(source)).text, flags);

/** A bundler may write letters that are not ASCII as escapes. */
const unescaped = (source: string): string =>
  source.replace(/\\u(00[89a-f][0-9a-f]|0[1-9a-f][0-9a-f]{2}|[1-9a-f][0-9a-f]{3})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
