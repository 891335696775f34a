/** A file of the dashboard: as it is, or compressed by brotli where `brotli` says so. */
export type StoredAsset = {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly brotli: boolean;
};

/**
 * The files of the dashboard, bundled on the spot: how it is when running from source. The build script
 * puts another `loadAssets` in the place of this file, which reads those that are embedded in the binary.
 */
export async function loadAssets(): Promise<readonly StoredAsset[]> {
  const { buildDashboard } = await import('../../dashboard/build.ts');
  return (await buildDashboard()).map((asset) => ({ ...asset, brotli: false }));
}
