/** JSON text of a value of type `T`, such as the result of a read: a reply sends it unparsed. */
export class JsonText<out T = unknown> {
  readonly text: string;
  /** Type only; never set. */
  declare readonly of: T;

  constructor(text: string) {
    this.text = text;
  }

  /** The value. */
  parse(): T {
    return JSON.parse(this.text);
  }
}
