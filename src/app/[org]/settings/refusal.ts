import { isErrataError } from '#lib/errors.ts';

/** Why something was not saved. */
export type Refusal = {
  /** A sentence. */
  message: string;
  /** The field that is wrong; null when it is the whole. */
  field: string | null;
};

/** Runs `save`; null when it went well. Throws whatever is no expected failure. */
export async function refusalOf(save: () => Promise<unknown>): Promise<Refusal | null> {
  try {
    await save();
    return null;
  } catch (error) {
    if (isErrataError(error)) return { message: `${error.message}.`, field: error.field };
    throw error;
  }
}
