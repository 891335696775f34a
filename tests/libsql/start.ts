/** What the thread is asked for; it answers each message once. */
export type Asked =
  | { readonly file: string; readonly token: string }
  | { readonly call: 'requests' | 'pause' | 'resume' | 'stop' };

/** See `LibsqlServer`. */
export type LibsqlThread = {
  readonly url: string;
  /** The file behind the server. */
  readonly file: string;
  requests(): Promise<number>;
  pause(): Promise<unknown>;
  resume(): Promise<unknown>;
  stop(): Promise<void>;
};

/** The stand-in on a thread of its own, because the product's threads wait for its answers without their event loop. */
export async function startLibsqlThread(file: string, token = ''): Promise<LibsqlThread> {
  const worker = new Worker(new URL('./thread.ts', import.meta.url).href);
  const ask = (message: Asked): Promise<unknown> =>
    new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.postMessage(message);
    });
  const url = String(await ask({ file, token }));
  return {
    url,
    file,
    requests: async () => Number(await ask({ call: 'requests' })),
    pause: () => ask({ call: 'pause' }),
    resume: () => ask({ call: 'resume' }),
    async stop() {
      await ask({ call: 'stop' });
      worker.terminate();
    },
  };
}
