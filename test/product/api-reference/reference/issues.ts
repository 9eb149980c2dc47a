import { z } from 'zod';
import { attachment, event, eventOfIssue, eventOfLookup } from './event-shapes.ts';
import { issue, issueDetail, issueOfShortId, issueOfStream, tagValue } from './issue-shapes.ts';
import { anything, flag, number, text } from './primitives.ts';
import type { ReferenceOperation } from './reference-operation.ts';

export const ISSUES: Readonly<Record<string, ReferenceOperation>> = {
  'GET organizations/{org}/eventids/{event}/': {
    statuses: [200],
    answer: z.looseObject({
      organizationSlug: text,
      projectSlug: text,
      groupId: text,
      eventId: text,
      event: eventOfLookup,
    }),
  },
  'DELETE organizations/{org}/issues/': { statuses: [204], answer: null },
  'GET organizations/{org}/issues/': { statuses: [200], answer: z.array(issueOfStream) },
  'PUT organizations/{org}/issues/': {
    statuses: [200, 204],
    answer: z.looseObject({
      assignedTo: z.looseObject({ type: text, id: text, name: text, email: text.optional() }).optional(),
      discard: flag.optional(),
      hasSeen: flag.optional(),
      inbox: flag.optional(),
      isBookmarked: flag.optional(),
      isPublic: flag.optional(),
      isSubscribed: flag.optional(),
      merge: z.looseObject({ parent: text, children: z.array(text) }).optional(),
      priority: text.optional(),
      shareId: text.optional(),
      status: text.optional(),
      statusDetails: z
        .looseObject({
          inNextRelease: flag.optional(),
          inRelease: text.optional(),
          inCommit: z.looseObject({ commit: text, repository: text }).optional(),
          ignoreDuration: number.optional(),
          ignoreCount: number.optional(),
          ignoreWindow: number.optional(),
          ignoreUserCount: number.optional(),
          ignoreUserWindow: number.optional(),
        })
        .optional(),
      subscriptionDetails: z.looseObject({ disabled: flag.optional(), reason: text.optional() }).optional(),
      substatus: text.optional(),
    }),
  },
  'GET organizations/{org}/shortids/{issue}/': {
    statuses: [200],
    answer: z.looseObject({
      organizationSlug: text,
      projectSlug: text,
      groupId: text,
      group: issueOfShortId,
      shortId: text,
    }),
  },
  'GET projects/{org}/{project}/events/{event}/source-map-debug/': {
    statuses: [200],
    answer: z.looseObject({
      errors: z.array(z.looseObject({ type: text, message: text, data: anything.nullable() })),
    }),
  },
  'GET projects/{org}/{project}/tags/{key}/values/': {
    statuses: [200],
    answer: z.array(z.looseObject({ name: text })),
  },
  'GET projects/{org}/{project}/events/{event}/': { statuses: [200], answer: event },
  'DELETE projects/{org}/{project}/issues/': { statuses: [204], answer: null },
  'GET projects/{org}/{project}/issues/': { statuses: [200], answer: z.array(issue) },
  'PUT projects/{org}/{project}/issues/': {
    statuses: [200],
    answer: z.looseObject({ isPublic: flag, status: text, statusDetails: z.record(z.string(), anything) }),
  },
  'GET organizations/{org}/issues/{issue}/tags/{key}/values/': { statuses: [200], answer: z.array(tagValue) },
  'GET organizations/{org}/issues/{issue}/hashes/': {
    statuses: [200],
    answer: z.array(
      z.looseObject({
        id: text.optional(),
        latestEvent: z
          .looseObject({ id: text, eventID: text, title: text, platform: text, dateCreated: text })
          .optional(),
      }),
    ),
  },
  'DELETE organizations/{org}/issues/{issue}/': { statuses: [202], answer: null },
  'GET organizations/{org}/issues/{issue}/': { statuses: [200], answer: issueDetail },
  'PUT organizations/{org}/issues/{issue}/': {
    statuses: [200],
    answer: z.looseObject({
      annotations: z.array(text),
      assignedTo: z.record(z.string(), anything).nullable(),
      count: text,
      culprit: text,
      firstSeen: text,
      hasSeen: flag,
      id: text,
      isBookmarked: flag,
      isPublic: flag,
      isSubscribed: flag,
      lastSeen: text,
      level: text,
      logger: text.nullable(),
      metadata: z.union([
        z.looseObject({ filename: text, type: text, value: text }),
        z.looseObject({ title: text }),
      ]),
      numComments: number,
      permalink: text,
      project: z.looseObject({ id: text.optional(), name: text.optional(), slug: text.optional() }),
      shareId: text.nullable(),
      shortId: text,
      status: text,
      statusDetails: z.record(z.string(), anything),
      subscriptionDetails: z.record(z.string(), anything).nullable(),
      title: text,
      type: text,
      userCount: number,
    }),
  },
  'GET organizations/{org}/issues/{issue}/events/{event}/': { statuses: [200], answer: eventOfIssue },
  'GET organizations/{org}/issues/{issue}/external-issues/': {
    statuses: [200],
    answer: z.array(
      z.looseObject({ id: text, issueId: text, serviceType: text, displayName: text, webUrl: text }),
    ),
  },
  'GET organizations/{org}/issues/{issue}/tags/{key}/': {
    statuses: [200],
    answer: z.looseObject({
      uniqueValues: number.nullable().optional(),
      totalValues: number.nullable().optional(),
      key: text,
      name: text,
    }),
  },
  'GET projects/{org}/{project}/events/{event}/attachments/': {
    statuses: [200],
    answer: z.array(attachment),
  },
  'GET projects/{org}/{project}/events/{event}/attachments/{attachment}/': {
    statuses: [200],
    answer: attachment,
  },
};
