import type { Config } from '../config.ts';
import { isRemoteUrl } from '../db/remote/place.ts';

/** Whether several servers may share the databases: with a libSQL server and Redis. */
export const isShared = ({ DATABASE_URL, REDIS_URL }: Config): boolean =>
  isRemoteUrl(DATABASE_URL) && REDIS_URL !== undefined;
