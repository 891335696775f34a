import type { createLive } from '../live.ts';
import type { Settings } from '../options.ts';
import type { Transport } from './transport.ts';

/** Delay before the configuration is fetched again after a failure or an outdated reply. */
const CONFIG_PAUSE_MS = 5_000;
/** A client that samples polls the configuration after this long without a reply. */
const SILENCE_MS = 60_000;

type Parts = {
  readonly settings: Settings;
  readonly live: ReturnType<typeof createLive>;
  readonly transport: Transport;
};

/** Fetches the server's settings when they are unknown, changed or possibly outdated, and applies them. */
export class RemoteSettings {
  readonly #parts: Parts;
  /** Version that the server's last reply named. */
  #wantedVersion: number | null = null;
  /** Times of `performance.now()` and `Date.now()`. */
  #pausedAt = Number.NEGATIVE_INFINITY;
  #heardAt = Date.now();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether no reply has arrived for so long that the settings may be outdated. */
  get isSilent(): boolean {
    const { settings, live } = this.#parts;
    return settings.remoteConfig && live.now.version !== null && Date.now() > this.#heardAt + SILENCE_MS;
  }

  /** Notes a reply and the version of the settings that it names. */
  heard(version: number | null): void {
    this.#heardAt = Date.now();
    if (version !== null) this.#wantedVersion = version;
  }

  /**
   * Fetches the settings if needed.
   * @param isWaiting whether events wait for the first settings
   * @returns false if the server refused the API key
   */
  async follow(isWaiting: boolean): Promise<boolean> {
    const { settings, live, transport } = this.#parts;
    if (!settings.remoteConfig) return true;
    const { version } = live.now;
    const unknown = version === null && isWaiting;
    const changed = this.#wantedVersion !== null && this.#wantedVersion !== version;
    if (!unknown && !changed && !this.isSilent) return true;
    if (performance.now() < this.#pausedAt + CONFIG_PAUSE_MS) return true;
    const { answer, config } = await transport.config();
    this.#heardAt = Date.now();
    if (config !== null) live.apply(config);
    // If the expected version arrived, the next change must not be delayed.
    const arrived = config !== null && (this.#wantedVersion ?? config.version) === config.version;
    this.#pausedAt = arrived ? Number.NEGATIVE_INFINITY : performance.now();
    return answer.status !== 401;
  }
}
