import { invalid } from '#lib/errors.ts';
import { toNativeDebugId } from '#pipeline/symbolicate/native/native-images.ts';
import type { Context } from '#product/context.ts';
import { requireOneOf } from '#product/permissions.ts';
import { selectProject } from '#product/visible-projects.ts';
import type { Checksum } from '#storage/ports/artifact-files.ts';
import type { DebugFileKind, DeobfuscationFile } from './artifact.ts';
import { assembleFile, findMissingChunks } from './assemble-file.ts';
import { type AssembleAnswer, answerOf, answerOfFailure, runAssemble } from './assemble-runs.ts';
import { looksLikeSymbols, ONLY_TEXT_SYMBOLS } from './check-symbols.ts';
import { checkChecksum, checkChunks, toDebugId } from './check-upload.ts';
import { checkDebugFile, debugIdOfName, looksLikeMapping, saveMapping } from './save-mapping.ts';
import { MAPPINGS_PER_REQUEST_MAX } from './upload-limits.ts';
import { UPLOAD_RIGHTS } from './upload-projects.ts';

export type MappingUpload = {
  checksum: string;
  name: string;
  /** Wins over the name and the content; null when the client names none. */
  debugId: string | null;
  chunks: readonly string[];
};

export type MappingAnswer = AssembleAnswer & {
  /** null unless the state is 'ok'. */
  file: DeobfuscationFile | null;
};

/** Assembles ProGuard mappings and symbol files from chunks, by checksum. Throws Invalid, NotFound, Conflict when out of space. */
export async function assembleDeobfuscation(
  ctx: Context,
  input: { projectSlug: string; files: readonly MappingUpload[] },
): Promise<ReadonlyMap<Checksum, MappingAnswer>> {
  requireOneOf(ctx, UPLOAD_RIGHTS);
  const project = await selectProject(ctx, input.projectSlug);
  if (input.files.length > MAPPINGS_PER_REQUEST_MAX) {
    throw invalid(`Request at most ${MAPPINGS_PER_REQUEST_MAX} files at a time`);
  }
  const answers = new Map<Checksum, MappingAnswer>();
  for (const file of input.files) {
    const checksum = checkChecksum(file.checksum);
    answers.set(checksum, await assembleOne(ctx, project.id, { ...file, checksum }));
  }
  return answers;
}

async function assembleOne(ctx: Context, projectId: number, file: MappingUpload): Promise<MappingAnswer> {
  const { checksum } = file;
  const isSymbols = looksLikeSymbols(file.name);
  if (!isSymbols && !looksLikeMapping(file.name)) return without(answerOf('error', [], ONLY_TEXT_SYMBOLS));
  const debugId = isSymbols
    ? toNativeDebugId(file.debugId)
    : (toDebugId(file.debugId) ?? debugIdOfName(file.name));
  const kind: DebugFileKind = isSymbols ? 'breakpad' : 'proguard';
  const find = () => findKnown(ctx, projectId, checksum, { debugId, kind });
  const known = await find();
  if (known) return { ...answerOf('ok'), file: known };
  const chunks = checkChunks(file.chunks);
  const missing = await findMissingChunks(ctx, chunks);
  if (missing.length > 0 || chunks.length === 0) return without(answerOf('not_found', missing));
  const key = JSON.stringify(['mapping', ctx.organization.id, projectId, checksum, debugId]);
  const answer = await runAssemble(key, () =>
    assemble(ctx, { projectId, checksum, chunks, name: file.name, debugId }),
  );
  return { ...answer, file: answer.state === 'ok' ? await find() : null };
}

async function assemble(
  ctx: Context,
  file: {
    projectId: number;
    checksum: Checksum;
    chunks: readonly Checksum[];
    name: string;
    debugId: string | null;
  },
): Promise<AssembleAnswer> {
  try {
    const assembled = await assembleFile(ctx, file, (reader) => checkDebugFile(reader, file));
    if (assembled.state === 'gone') return answerOf('not_found', assembled.chunks);
    const { projectId, checksum, name } = file;
    await saveMapping(ctx, { projectId, checksum, name, ...assembled.checked });
    return answerOf('ok');
  } catch (error) {
    return answerOfFailure(error);
  }
}

/** null when it was not uploaded, under another id only, or its bytes are gone. */
async function findKnown(
  { stores, organization }: Context,
  projectId: number,
  checksum: Checksum,
  { debugId, kind }: { debugId: string | null; kind: DebugFileKind },
): Promise<DeobfuscationFile | null> {
  const { artifacts, artifactFiles } = stores;
  const file =
    debugId === null
      ? await artifacts.findDeobfuscationFileByChecksum(organization.id, projectId, checksum)
      : await artifacts.findDeobfuscationFile(organization.id, projectId, debugId, kind);
  if (file?.checksum !== checksum) return null;
  return (await artifactFiles.has(organization.id, checksum)) ? file : null;
}

const without = (answer: AssembleAnswer): MappingAnswer => ({ ...answer, file: null });
