import type { z } from 'zod';
import type { BodyLimits } from './body/body-limits.ts';

/** A body that the handler reads from the request itself: its shape and a working example, for the reference. */
export type RawBody = { readonly schema?: z.ZodType; readonly example?: unknown };

/**
 * One endpoint as data, without its handler. The route, the API reference, the dashboard and the command line use it.
 * It is browser-safe. Whoever registers the guards defines the values of `auth` and `role`.
 */
export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `:name` parameters, which `params` describes. */
  readonly path: string;
  /** Names the guard that establishes the caller. */
  readonly auth: string;
  /** The lowest role that may call it; any role if unset. */
  readonly role?: string;
  /**
   * Scopes of access tokens, each of which admits to it. If unset, whoever registers the guards decides by the method.
   */
  readonly scopes?: readonly string[];
  /**
   * `ai`: counts each call against this rate limit (`LIMITS`) of the caller's organization. `off`: for a route without
   * sign-in whose reply costs no more than a refusal. `fetch`: counts against this limit of the API key, so that what a
   * client fetches holds back none of its events.
   */
  readonly limit?: 'ai' | 'off' | 'fetch';
  /** Of several servers each answers it; other requests are passed on to the one that leads. */
  readonly anyServer?: true;
  /** Only for a person who signed in, or repeated that, within the last 10 minutes. */
  readonly recent?: true;
  /** One line, without a full stop. */
  readonly summary: string;
  /** Further details; Markdown. */
  readonly description?: string;
  /** Left out of the reference: the dashboard's page and files. */
  readonly hidden?: true;
  readonly query?: z.ZodType;
  /** Unknown parameters of the query are ignored and named in the header `X-Ignored-Parameters`, not refused. */
  readonly ignoresUnknown?: true;
  readonly params?: z.ZodType;
  /** A JSON body, parsed before the handler runs. */
  readonly body?: z.ZodType;
  /** Bodies by media type that the handler reads itself, for the reference. */
  readonly rawBody?: Readonly<Record<string, RawBody>>;
  /** Limits of such a body. Without them a JSON body may have 1 MB, or 16 kB where nobody has to sign in. */
  readonly bodyLimits?: BodyLimits;
  /** A working JSON body, for the reference; a function of the time where a date must lie in the future. */
  readonly example?: object | ((now: Date) => object);
  /** JSON of a successful reply. If unset, the reply is empty or a Response. */
  readonly reply?: z.ZodType;
  /** Status of a successful reply; default 200. */
  readonly status?: number;
};

/** Rejects unknown properties at compile time: a misspelt `role` would allow every caller. */
export type ExactEndpoint<E> = E & { readonly [K in Exclude<keyof E, keyof Endpoint>]: never };

type Given<E, K extends keyof Endpoint> = E extends { readonly [P in K]: infer S extends z.ZodType }
  ? z.input<S>
  : undefined;
type Parsed<E, K extends keyof Endpoint> = E extends { readonly [P in K]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

/** The query as a client gives it; undefined for an endpoint without one. */
export type QueryOf<E> = Given<E, 'query'>;
/** The path parameters as a client gives them. */
export type ParamsOf<E> = Given<E, 'params'>;
/** The body as a client sends it: JSON, or the bytes of an endpoint that reads them itself. */
export type BodyOf<E> = E extends { readonly rawBody: object } ? Blob | string : Given<E, 'body'>;
/** JSON of a successful reply; null for an endpoint with an empty reply. */
export type ReplyOf<E> = E extends { readonly reply: infer S extends z.ZodType } ? z.input<S> : null;

/** The parsed input of a handler. */
export type InputOf<E> = {
  readonly query: Parsed<E, 'query'>;
  readonly params: Parsed<E, 'params'>;
  readonly body: Parsed<E, 'body'>;
  readonly request: Request;
  /** The client's address: the peer, or behind TRUSTED_PROXIES the forwarded address; null without a socket. */
  readonly address: string | null;
};
