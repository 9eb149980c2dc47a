import { fields } from '#app/forms/fields.ts';

export const SPIKE_FIELDS = fields({
  isEnabled: {
    kind: 'switch',
    label: 'Keep the details of only a sample of events when one issue floods',
    help: 'Every event is still counted, with its users and tags, so all numbers stay exact. Past the threshold, stack traces, breadcrumbs and other details are kept for every 10th event, and past ten times the threshold for every 100th. These details are what fills the disk in a spike.',
  },
  bodiesPerHour: {
    kind: 'number',
    label: 'Threshold',
    unit: 'events per issue and hour',
    help: 'Up to this many events in a clock hour, all details are kept.',
    max: 12,
  },
});
