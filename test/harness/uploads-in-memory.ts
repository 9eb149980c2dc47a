import type { ArtifactFile, ArtifactFileKind } from '#product/artifacts/artifact.ts';
import type { ScriptFilesDeps } from '#product/symbolication/script-files.ts';

export type UploadInMemory = {
  url: string;
  content: string | Buffer;
  kind: ArtifactFileKind;
  sourceMap?: string | null;
  debugId?: string;
  /** null unless set. */
  dist?: string;
};

/**
 * What symbolication asks of the stores, over files that belong to every release there is. Counts how often files were
 * looked for; `fail` makes every question throw.
 */
export function storesInMemory(uploads: readonly UploadInMemory[]) {
  const state = { looks: 0, fail: null as Error | null, uploads: [...uploads] };
  const files = () =>
    state.uploads.map(
      ({ url, content, kind, sourceMap = null, debugId = null }, index): ArtifactFile => ({
        id: index + 1,
        bundleId: 1,
        checksum: String(index).padStart(40, '0'),
        kind,
        url,
        debugId,
        path: null,
        bytes: content.length,
        sourceMap,
        headers: {},
      }),
    );
  const look = <Answer>(answer: Answer): Promise<Answer> => {
    state.looks += 1;
    return state.fail ? Promise.reject(state.fail) : Promise.resolve(answer);
  };
  const distOf = (file: ArtifactFile) => state.uploads[file.id - 1]?.dist ?? null;
  const artifacts = {
    listBundles: () => look({ bundles: state.uploads.length > 0 ? [{}] : [], next: null }),
    findByDebugId: (_organization: number, _project: number, debugId: string) =>
      look(files().filter((file) => file.debugId === debugId)),
    findByUrl: (_organization: number, _project: number, release: { dist: string | null }, urls: string[]) =>
      look(files().filter((file) => urls.includes(file.url) && distOf(file) === release.dist)),
    countFilesByDist: () => {
      const dists = [...new Set(files().map(distOf))];
      return look(dists.map((dist) => ({ dist, files: 1 })));
    },
    findSimilarUrls: (_organization: number, _project: number, _release: unknown, name: string) =>
      look(
        files().flatMap(({ url, kind }) => (url.endsWith(`/${name}`) && kind !== 'source_map' ? [url] : [])),
      ),
    findInBundle: (_organization: number, _bundle: number, urls: string[]) =>
      look(files().filter(({ url }) => urls.includes(url))),
    hasDebugFiles: () => look(state.uploads.some(({ url }) => url.endsWith('.sym'))),
    findDeobfuscationFile: (_organization: number, _project: number, debugId: string, kind: string) => {
      const isSymbols = kind === 'breakpad';
      const file = files().find(
        (each) => each.debugId === debugId && each.url.endsWith('.sym') === isSymbols,
      );
      return look(file ? { ...file, name: file.url } : null);
    },
    touchBundles: () => Promise.resolve(),
    touchDeobfuscationFiles: () => Promise.resolve(),
  } as unknown as ScriptFilesDeps['artifacts'];
  const artifactFiles: ScriptFilesDeps['artifactFiles'] = {
    open: async (_organizationId, checksum) => {
      const content = state.uploads[Number(checksum)]?.content;
      if (content === undefined) return null;
      const bytes = Buffer.from(content);
      return {
        bytes: bytes.length,
        read: async (from, to) => Buffer.from(bytes.subarray(from, to)),
        close: async () => {},
      };
    },
  };
  return { artifacts, artifactFiles, state };
}
