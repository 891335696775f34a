/**
 * Why a request did not work. `refused`: this server does not send it; `unresolved`: the name has no allowed address;
 * `not_connected`: the host refused the connection, so nothing was sent; `invalid_reply`: the other side does not speak
 * HTTP/1.1.
 */
export type OutboundFailure =
  | 'refused'
  | 'unresolved'
  | 'not_connected'
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'aborted'
  | 'too_large'
  | 'invalid_reply';

/**
 * An outgoing request that did not work. The message has no resolved address and no text of the reply, so it can be shown
 * to tenants.
 */
export class OutboundError extends Error {
  readonly code: OutboundFailure;

  constructor(code: OutboundFailure, message: string) {
    super(message);
    this.code = code;
  }
}

const isTlsCode = (code: string): boolean =>
  /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH)/.test(code);

/** Replaces an error of a socket, of TLS or of the HTTP parser, whose texts contain addresses. */
export function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code } = error as { code?: unknown };
  const known = typeof code === 'string' ? code : '';
  if (isTlsCode(known))
    return new OutboundError('tls', `The TLS certificate of the host was not accepted (${known})`);
  if (known.startsWith('HPE_') || error instanceof RangeError)
    return new OutboundError('invalid_reply', 'The reply is not valid HTTP/1.1');
  if (known === 'ECONNREFUSED')
    return new OutboundError('not_connected', 'The host refused the connection. Check the port');
  if (known === 'ECONNRESET' || known === 'EPIPE')
    return new OutboundError('unreachable', 'The host closed the connection before its reply was complete');
  return new OutboundError('unreachable', 'The host could not be reached');
}
