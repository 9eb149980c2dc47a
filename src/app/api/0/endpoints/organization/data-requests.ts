import { z } from 'zod';
import { answerDownload } from '#app/answer-download.ts';
import { get, type Operation, post, put } from '#app/api/0/operation.ts';
import { readPathNumber } from '#app/api/0/path-scope.ts';
import { DOWNLOAD } from '#app/api/0/query.ts';
import { idOf, isoMs, isoMsOrNull, shapeOf } from '#app/api/0/shape.ts';
import { getCertificate } from '#product/data-requests/certificate.ts';
import { DATA_REQUEST_STATES, type DataRequest } from '#product/data-requests/data-request.ts';
import {
  cancelDataRequest,
  ERASE_CONFIRMATION,
  eraseData,
  exportData,
  getDataRequest,
  listDataRequests,
  openExport,
  requestData,
} from '#product/data-requests/data-requests.ts';
import { USER_KINDS, type UserKey } from '#storage/ports/user-activity.ts';

const COUNTS = z.record(z.string(), z.int()).describe('Rows by kind');

/** `identifiers` are there while the request needs them, and only where one request is retrieved. */
export const [DATA_REQUEST, serializeDataRequest] = shapeOf<
  DataRequest,
  [identifiers?: readonly UserKey[]]
>()(
  {
    id: idOf('id'),
    subject: z.enum(['person', 'project', 'organization']),
    subjectName: z.string(),
    state: z.enum(DATA_REQUEST_STATES),
    identifiers: [
      z.array(z.object({ kind: z.enum(USER_KINDS), value: z.string() })).optional(),
      (_, identifiers) => identifiers?.map((key) => ({ ...key })),
    ],
    identifierHashes: [
      z.array(z.object({ kind: z.enum(USER_KINDS), hmacSha256: z.string() })),
      ({ identifierHashes }) => identifierHashes.map(({ kind, hash }) => ({ kind, hmacSha256: hash })),
    ],
    found: [COUNTS, ({ found }) => found as Record<string, number>],
    removed: [COUNTS, ({ removed }) => removed as Record<string, number>],
    requestedBy: [z.string(), 'requestedByName'],
    dateCreated: isoMs('createdAt'),
    dateCounted: isoMsOrNull('countedAt'),
    dateEraseRequested: isoMsOrNull('eraseRequestedAt'),
    dateHidden: isoMsOrNull('hiddenAt'),
    datePurged: isoMsOrNull('purgedAt'),
    dateFinished: isoMsOrNull('finishedAt'),
    exportBytes: z.int().nullable(),
    dateExportExpires: isoMsOrNull('exportExpiresAt'),
    lastError: z.string().nullable(),
  },
  'DataRequest',
);

const CERTIFICATE = z
  .object({
    format: z.string(),
    request: z.int(),
    organization: z.string(),
    subject: z.object({ kind: z.string(), name: z.string().nullable() }),
    identifiers: z.array(z.object({ kind: z.string(), hmacSha256: z.string() })),
    requestedBy: z.string(),
    requestedAt: z.string(),
    erasedBy: z.string(),
    eraseRequestedAt: z.string(),
    hiddenAt: z.string(),
    purgedAt: z.string(),
    finishedAt: z.string(),
    removed: COUNTS,
    notes: z.array(z.string()),
  })
  .meta({ id: 'ErasureCertificate' });

const NEW_REQUEST = z.object({
  identifiers: z
    .array(z.object({ kind: z.enum(USER_KINDS), value: z.string().max(1_000) }))
    .max(100)
    .describe('What the person is called by; all are of the same person'),
});

const CHANGE = z.object({
  action: z.enum(['export', 'erase', 'cancel']),
  confirmation: z.string().max(100).default('').describe(`"${ERASE_CONFIRMATION}" to erase`),
});

export const dataRequestOperations: readonly Operation[] = [
  get('organizations/[org]/data-requests', {
    summary: 'Lists requests to export and erase data, newest first',
    scopes: ['org:write'],
    answer: z.array(DATA_REQUEST),
    handle: async ({ ctx }) => (await listDataRequests(ctx)).map((request) => serializeDataRequest(request)),
  }),

  post('organizations/[org]/data-requests', {
    summary: 'Finds what is stored of a person, and counts it by kind; nothing is changed',
    scopes: ['org:write'],
    body: NEW_REQUEST,
    answer: DATA_REQUEST,
    status: 201,
    handle: async ({ ctx, body }) => serializeDataRequest(await requestData(ctx, body)),
  }),

  get('organizations/[org]/data-requests/[request]', {
    summary: 'Retrieves a request to export and erase data',
    scopes: ['org:write'],
    answer: DATA_REQUEST,
    async handle({ ctx, params }) {
      const { request, identifiers } = await getDataRequest(ctx, readId(params));
      return serializeDataRequest(request, identifiers);
    },
  }),

  put('organizations/[org]/data-requests/[request]', {
    summary: 'Exports or erases what was found, or cancels the request',
    scopes: ['org:write'],
    body: CHANGE,
    answer: DATA_REQUEST,
    async handle({ ctx, params, body: { action, confirmation } }) {
      const requestId = readId(params);
      if (action === 'erase') return serializeDataRequest(await eraseData(ctx, { requestId, confirmation }));
      const change = action === 'export' ? exportData : cancelDataRequest;
      return serializeDataRequest(await change(ctx, requestId));
    },
  }),

  /** What is known of the request; with `?download=1` the archive. */
  get('organizations/[org]/data-requests/[request]/export', {
    summary: 'Retrieves the request of an export, or its archive with "download", for who requested it',
    scopes: ['org:write'],
    query: { ...DOWNLOAD },
    answer: DATA_REQUEST,
    async handle({ ctx, params, query }) {
      if (!query.isDownload) {
        const { request } = await getDataRequest(ctx, readId(params));
        return serializeDataRequest(request);
      }
      const { content, bytes, fileName } = await openExport(ctx, readId(params));
      return answerDownload({ content, bytes }, { name: fileName, contentType: 'application/gzip' });
    },
  }),

  get('organizations/[org]/data-requests/[request]/certificate', {
    summary: 'Retrieves the certificate of a finished erasure',
    scopes: ['org:write'],
    answer: CERTIFICATE,
    async handle({ ctx, params }) {
      const { identifiers, notes, removed, ...certificate } = await getCertificate(ctx, readId(params));
      return {
        ...certificate,
        identifiers: [...identifiers],
        notes: [...notes],
        removed: removed as Record<string, number>,
      };
    },
  }),
];

const readId = ({ request }: { request: string }): number =>
  readPathNumber(request, 'The data request does not exist');
