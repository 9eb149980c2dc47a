import type { AlertEventStore } from '#storage/ports/alert-events.ts';
import type { ClickhouseDatabase } from '../client.ts';
import { countWindow, findFirstIn } from './count-window.ts';
import { findEvents } from './find-events.ts';
import { countSteps, listCrowded, listMoments } from './list-moments.ts';
import { measure } from './measure.ts';

export const createAlertEventStore = (database: ClickhouseDatabase): AlertEventStore => ({
  findEvents: (organizationId, wanted, receivedSinceMs, withPayload) =>
    findEvents(database, organizationId, wanted, receivedSinceMs, withPayload),
  countWindow: (scope, issues, asked) => countWindow(database, scope, issues, asked),
  findFirstIn: (scope, issues, asked) => findFirstIn(database, scope, issues, asked),
  countSteps: (scope, asked) => countSteps(database, scope, asked),
  listMoments: (scope, asked, limit) => listMoments(database, scope, asked, limit),
  listCrowded: (scope, asked, limit) => listCrowded(database, scope, asked, limit),
  measure: (scope, asked) => measure(database, scope, asked),
});
