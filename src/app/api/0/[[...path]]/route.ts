import { answerMethod } from '#app/api/0/answer-request.ts';

/** Every address of the API: what it answers is declared in `operations.ts` and the files that it names. */
export const GET = answerMethod('GET');
export const POST = answerMethod('POST');
export const PUT = answerMethod('PUT');
export const PATCH = answerMethod('PATCH');
export const DELETE = answerMethod('DELETE');
