import type { ApiClient } from '../harness/api-client.ts';
import { uploadBundle } from '../harness/upload-bundle.ts';
import { largeMap } from './large-map.ts';

const MAP_MIB = 10;
/** The sample errors have their frames in lines up to 105. */
const LINES = 120;
const PAUSE_MS = 500;

/** Maps of `mebibytes` together, each for another of the scripts that the sample errors come from. */
export function makeUploads(mebibytes: number, scripts: readonly string[]) {
  const { text } = largeMap(MAP_MIB, LINES);
  return scripts.slice(0, Math.ceil(mebibytes / MAP_MIB)).map((script) => ({ script, text: `${text}\n` }));
}

/** Uploads them one after the other, as builds do, from the beginning again until the signal; answers how many. */
export async function uploadMaps(
  target: { url: string; token: string; api: ApiClient },
  project: string,
  version: string,
  uploads: ReturnType<typeof makeUploads>,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  for (; !signal.aborted && count < uploads.length; count++) {
    const upload = uploads[count];
    if (!upload) break;
    const { script, text } = upload;
    const name = script.split('/').at(-1) ?? script;
    await uploadBundle(target, { projects: [project], version }, [
      { type: 'minified_source', url: `~${script}`, content: 'a()', headers: { sourcemap: `${name}.map` } },
      { type: 'source_map', url: `~${script}.map`, content: `${text}${' '.repeat(count)}` },
    ]);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return count;
}
