// Written by `npm run db:types` from the migrated schema: not to be edited.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** Read as its value, written as text. */
type Json = ColumnType<unknown, string, string>;
type GeneratedJson = ColumnType<unknown, string | undefined, string>;

export type Tables = {
  accounts: {
    id: string;
    account_id: string;
    provider_id: string;
    user_id: string;
    access_token: string | null;
    refresh_token: string | null;
    id_token: string | null;
    access_token_expires_at: Date | null;
    refresh_token_expires_at: Date | null;
    scope: string | null;
    password: string | null;
    created_at: Generated<Date>;
    updated_at: Date;
  };
  activities: {
    id: GeneratedAlways<number>;
    issue_id: number;
    type: string;
    user_id: string | null;
    data: GeneratedJson;
    at: Date;
  };
  activity_news: {
    activity_id: number;
  };
  alert_firings: {
    id: GeneratedAlways<number>;
    organization_id: number;
    project_id: number;
    rule_id: number;
    issue_id: number | null;
    event_id: string | null;
    cause: string;
    value: number | null;
    fired_at: Date;
    outbox_id: number | null;
    withheld: GeneratedJson;
    measured: number | null;
    measured_before: number | null;
  };
  alert_rules: {
    id: GeneratedAlways<number>;
    organization_id: number;
    project_id: number;
    kind: string;
    name: string;
    environment: string | null;
    owner_user_id: string | null;
    owner_team_id: number | null;
    definition: Json;
    is_enabled: Generated<boolean>;
    snoozed_until: Date | null;
    snoozed_by: string | null;
    created_by: string | null;
    created_at: Date;
    updated_at: Date;
    metric_state: string | null;
    metric_state_at: Date | null;
    metric_value: number | null;
    metric_checked_at: Date | null;
    metric_problem: string | null;
    metric_took_ms: number | null;
    metric_next_at: Date | null;
  };
  api_tokens: {
    id: GeneratedAlways<number>;
    organization_id: number;
    user_id: string;
    name: string;
    scopes: string[];
    token_hash: Buffer;
    expires_at: Date | null;
    last_used_at: Date | null;
    created_at: Generated<Date>;
  };
  artifact_bundle_projects: {
    bundle_id: number;
    project_id: number;
  };
  artifact_bundle_releases: {
    bundle_id: number;
    organization_id: number;
    version: string;
    dist: Generated<string>;
  };
  artifact_bundles: {
    id: GeneratedAlways<number>;
    organization_id: number;
    kind: string;
    checksum: Buffer;
    bytes: number;
    uploaded_at: Date;
    used_at: Date;
  };
  artifact_files: {
    id: GeneratedAlways<number>;
    bundle_id: number;
    organization_id: number;
    kind: string;
    url: string;
    debug_id: string | null;
    path: string | null;
    bytes: number;
    source_map: string | null;
    headers: GeneratedJson;
  };
  audit_entries: {
    id: GeneratedAlways<number>;
    organization_id: number;
    at: Date;
    action: string;
    actor_kind: string;
    actor_user_id: string | null;
    actor_name: string;
    token_id: number | null;
    ip_address: string | null;
    target_kind: string;
    target_id: string | null;
    target_name: string;
    data: Json;
  };
  backup_runs: {
    id: GeneratedAlways<number>;
    origin: string;
    state: string;
    folder: string;
    requested_by: string | null;
    created_at: Date;
    started_at: Date | null;
    beat_at: Date | null;
    finished_at: Date | null;
    step: string | null;
    done: Generated<number>;
    total: number | null;
    bytes: Generated<number>;
    new_bytes: number | null;
    backup_id: string | null;
    moment_at: Date | null;
    events: number | null;
    paused_ms: number | null;
    is_encrypted: boolean | null;
    error: string | null;
  };
  client_keys: {
    id: GeneratedAlways<number>;
    project_id: number;
    public_key: string;
    label: string;
    is_active: Generated<boolean>;
    created_at: Generated<Date>;
    former_project_id: number | null;
  };
  code_mappings: {
    id: GeneratedAlways<number>;
    organization_id: number;
    project_id: number;
    repository_id: number;
    stack_root: string;
    source_root: string;
    default_branch: string;
    created_at: Date;
  };
  commit_files: {
    commit_id: number;
    path: string;
    change: string;
  };
  commits: {
    id: GeneratedAlways<number>;
    organization_id: number;
    repository_id: number;
    key: string;
    message: string;
    author_name: string | null;
    author_email: string | null;
    committed_at: Date;
  };
  dashboard_shares: {
    dashboard_id: number;
    token_hash: Buffer;
    project_ids: number[];
    created_by: string | null;
    created_at: Date;
    expires_at: Date;
  };
  dashboard_stars: {
    dashboard_id: number;
    user_id: string;
  };
  dashboards: {
    id: GeneratedAlways<number>;
    organization_id: number;
    title: string;
    description: string;
    widgets: Json;
    variables: Json;
    filters: Json;
    version: Generated<number>;
    created_by: string | null;
    created_at: Date;
    updated_at: Date;
  };
  data_requests: {
    id: GeneratedAlways<number>;
    organization_id: number;
    organization_slug: string;
    subject: string;
    subject_name: Generated<string>;
    project_ids: Generated<number[]>;
    state: string;
    step: Generated<string>;
    identifiers: string | null;
    identifier_hashes: GeneratedJson;
    found: GeneratedJson;
    removed: GeneratedJson;
    notes: GeneratedJson;
    requested_by: string | null;
    requested_by_name: string;
    created_at: Date;
    counted_at: Date | null;
    erase_requested_by: string | null;
    erase_requested_by_name: string | null;
    erase_requested_at: Date | null;
    hidden_at: Date | null;
    purged_at: Date | null;
    finished_at: Date | null;
    export_requested_by: string | null;
    export_bytes: number | null;
    export_rows: number | null;
    export_expires_at: Date | null;
    lease_owner: string | null;
    lease_until: Date | null;
    next_at: Date;
    last_error: string | null;
  };
  deliveries: {
    id: string;
    organization_id: number;
    kind: string;
    destination_id: number | null;
    user_id: string | null;
    subject: GeneratedJson;
    state: Generated<string>;
    due_at: Date;
    content: Json | null;
    attempts: Generated<number>;
    lease_until: Date | null;
    last_error: string | null;
    last_status: number | null;
    created_at: Date;
    done_at: Date | null;
    reply_id: number | null;
  };
  delivery_activities: {
    delivery_id: string;
    activity_id: number;
    reason: string;
  };
  delivery_firings: {
    delivery_id: string;
    firing_id: number;
  };
  deobfuscation_files: {
    id: GeneratedAlways<number>;
    organization_id: number;
    project_id: number;
    debug_id: string;
    checksum: Buffer;
    name: string;
    bytes: number;
    uploaded_at: Date;
    used_at: Date;
    kind: Generated<string>;
    age: Generated<number>;
    arch: string | null;
  };
  deploys: {
    id: GeneratedAlways<number>;
    organization_id: number;
    release_id: number;
    environment: string;
    name: string | null;
    url: string | null;
    started_at: Date | null;
    finished_at: Date;
  };
  destinations: {
    id: GeneratedAlways<number>;
    organization_id: number;
    kind: string;
    name: string;
    config: GeneratedJson;
    secret: string;
    created_by: string | null;
    created_at: Date;
    last_sent_at: Date | null;
    failing_since: Date | null;
    last_error: string | null;
  };
  discarded_hashes: {
    project_id: number;
    hash: string;
    discarded_issue_id: number;
  };
  discarded_issues: {
    id: GeneratedAlways<number>;
    project_id: number;
    short_id: string;
    title: string;
    culprit: string;
    level: string;
    discarded_by: string | null;
    discarded_at: Date;
  };
  email_changes: {
    user_id: string;
    email: string;
    is_mailed: boolean;
    secret_hash: Buffer;
    expires_at: Date;
  };
  environments: {
    organization_id: number;
    project_id: number;
    name: string;
    first_seen: Date;
  };
  feedback_forms: {
    project_id: number;
    token: string;
    created_at: Date;
  };
  grouping_change_hashes: {
    change_id: number;
    hash: string;
    before_issue_id: number | null;
    after_issue_id: number;
    successor: string | null;
    times_seen: Generated<number>;
    first_seen: Date | null;
    last_seen: Date | null;
    stands_for: string | null;
  };
  grouping_change_issues: {
    change_id: number;
    issue_id: number;
    role: string;
    other_issue_id: number | null;
  };
  grouping_change_pairs: {
    change_id: number;
    phase: string;
    round: number;
    from_hash: string;
    to_hash: string;
    events: number;
    first_seen: Date;
    last_seen: Date;
    title: string;
  };
  grouping_change_rows: {
    change_id: number;
    table_name: string;
    issue_id: number;
    content: Json;
  };
  grouping_changes: {
    id: GeneratedAlways<number>;
    organization_id: number;
    project_id: number;
    kind: string;
    state: string;
    user_id: string | null;
    created_at: Date;
    applied_at: Date | null;
    undone_at: Date | null;
    finished_at: Date | null;
    rules_version: number | null;
    former_version: number | null;
    cursor: GeneratedJson;
    events_total: Generated<number>;
    events_seen: Generated<number>;
    events_moved: Generated<number>;
    issues_before: Generated<number>;
    issues_after: Generated<number>;
    lease_owner: string | null;
    lease_until: Date | null;
    last_error: string | null;
  };
  grouping_hashes: {
    project_id: number;
    hash: string;
    issue_id: number;
    times_seen: Generated<number>;
    first_seen: Date | null;
    last_seen: Date | null;
    stands_for: string | null;
  };
  grouping_rules: {
    project_id: number;
    version: number;
    fingerprint: string;
    stack_trace: string;
    author_user_id: string | null;
    restored_from: number | null;
    created_at: Date;
    activated_at: Date | null;
  };
  ingest_marks: {
    spool_id: string;
    complete_until: Date;
    gaps: GeneratedJson;
    updated_at: Date;
  };
  instance_settings: {
    key: string;
    value: Json;
    updated_at: Generated<Date>;
  };
  invitations: {
    id: Generated<number>;
    organization_id: number;
    email: string;
    role: string;
    team_ids: number[];
    token_hash: Buffer;
    invited_by: string | null;
    created_at: Date;
    expires_at: Date;
  };
  issue_bookmarks: {
    issue_id: number;
    user_id: string;
    created_at: Generated<Date>;
  };
  issue_deletions: {
    id: GeneratedAlways<number>;
    organization_id: number;
    project_id: number;
    hashes: string[];
    requested_by: string | null;
    requested_at: Date;
    done_at: Date | null;
  };
  issue_links: {
    id: GeneratedAlways<number>;
    issue_id: number;
    url: string;
    title: string;
    created_by: string | null;
    created_at: Date;
    tracker_id: number | null;
    tracker_key: string | null;
    state: string | null;
    state_name: string | null;
    checked_at: Date | null;
  };
  issue_redirects: {
    old_issue_id: number;
    organization_id: number;
    short_id: string;
    issue_id: number;
  };
  issue_releases: {
    issue_id: number;
    release_id: number;
  };
  issue_seen: {
    issue_id: number;
    user_id: string;
    seen_at: Date;
  };
  issue_shares: {
    issue_id: number;
    token_hash: Buffer;
    created_by: string | null;
    created_at: Date;
    expires_at: Date;
  };
  issue_subscriptions: {
    issue_id: number;
    user_id: string;
    is_subscribed: boolean;
    reason: string;
    created_at: Generated<Date>;
  };
  issue_texts: {
    issue_id: number;
    content: string;
  };
  issues: {
    id: GeneratedAlways<number>;
    organization_id: number;
    project_id: number;
    short_id: string;
    title: string;
    culprit: string;
    level: string;
    platform: string;
    type: string;
    metadata: GeneratedJson;
    logger: string | null;
    status: Generated<string>;
    substatus: string | null;
    priority: string;
    first_seen: Date;
    last_seen: Date;
    times_seen: number;
    assignee_user_id: string | null;
    resolved_at: Date | null;
    first_release: string | null;
    last_release: string | null;
    resolution: Json | null;
    archive: Json | null;
    archived_until: Date | null;
    escalates_at_times_seen: number | null;
    escalates_before: Date | null;
    substatus_at: Date | null;
    priority_locked_at: Date | null;
    assignee_team_id: number | null;
  };
  memberships: {
    organization_id: number;
    user_id: string;
    role: string;
    created_at: Generated<Date>;
    id: Generated<number>;
    last_seen_at: Date | null;
  };
  monitor_check_ins: {
    id: GeneratedAlways<number>;
    organization_id: number;
    project_id: number;
    slug: string;
    environment: string;
    check_in_id: string | null;
    status: string;
    at: Date;
    trace_id: string | null;
    config: Json | null;
  };
  monitor_environments: {
    id: GeneratedAlways<number>;
    monitor_id: number;
    name: string;
    is_disabled: Generated<boolean>;
    is_muted: Generated<boolean>;
    created_at: Date;
    first_check_in_at: Date | null;
    last_check_in_at: Date | null;
    last_ok_at: Date | null;
    last_result_at: Date | null;
    next_expected_at: Date | null;
    deadline_at: Date | null;
    failures: Generated<number>;
    successes: Generated<number>;
    incident_id: string | null;
    incident_started_at: Date | null;
    incident_told_at: Date | null;
    runs: GeneratedJson;
    due_at: Date | null;
    rescheduled_at: Date | null;
  };
  monitor_facts: {
    id: GeneratedAlways<number>;
    fact: Json;
    created_at: Date;
  };
  monitors: {
    id: GeneratedAlways<number>;
    guid: Generated<string>;
    organization_id: number;
    project_id: number;
    slug: string;
    name: string;
    schedule: Json | null;
    time_zone: Generated<string>;
    checkin_margin: Generated<number>;
    max_runtime: Generated<number>;
    failure_issue_threshold: Generated<number>;
    recovery_threshold: Generated<number>;
    owner_user_id: string | null;
    owner_team_id: number | null;
    is_disabled: Generated<boolean>;
    is_muted: Generated<boolean>;
    is_upserting: Generated<boolean>;
    config_problem: string | null;
    created_at: Date;
  };
  notification_settings: {
    user_id: string;
    organization_id: number | null;
    project_id: number | null;
    kind: string;
    is_on: boolean;
  };
  oauth_clients: {
    id: string;
    name: string;
    redirect_uris: string[];
    created_at: Date;
  };
  oauth_grants: {
    id: GeneratedAlways<number>;
    client_id: string;
    user_id: string;
    organization_id: number;
    scopes: string[];
    code_hash: Buffer;
    code_challenge: string;
    redirect_uri: string;
    code_expires_at: Date;
    code_used_at: Date | null;
    created_at: Date;
    last_used_at: Date | null;
    expires_at: Date;
  };
  oauth_tokens: {
    token_hash: Buffer;
    grant_id: number;
    kind: string;
    expires_at: Date;
    used_at: Date | null;
  };
  one_time_secrets: {
    purpose: string;
    user_id: string | null;
    secret_hash: Buffer;
    expires_at: Date;
    created_at: Generated<Date>;
  };
  organization_former_slugs: {
    slug: string;
    organization_id: number;
    changed_at: Date;
  };
  organization_tokens: {
    id: GeneratedAlways<number>;
    organization_id: number;
    name: string;
    scopes: string[];
    token_hash: Buffer;
    last_characters: string;
    created_by: string | null;
    created_at: Date;
    last_used_at: Date | null;
    expires_at: Date | null;
  };
  organizations: {
    id: GeneratedAlways<number>;
    slug: string;
    name: string;
    created_at: Generated<Date>;
    privacy_settings: GeneratedJson;
    allows_sharing: Generated<boolean>;
    requires_two_factor: Generated<boolean>;
    is_open: Generated<boolean>;
  };
  outbox: {
    id: GeneratedAlways<number>;
    organization_id: number;
    project_id: number;
    issue_id: number;
    kind: string;
    event_id: string | null;
    data: GeneratedJson;
    created_at: Date;
    done_at: Date | null;
    rule_id: number | null;
    version: Generated<number>;
  };
  outcomes_hourly: {
    organization_id: number;
    project_id: number;
    key_id: Generated<number>;
    hour: Date;
    category: string;
    outcome: string;
    reason: string;
    quantity: number;
  };
  ownership_rules: {
    project_id: number;
    rules: Generated<string>;
    codeowners: Generated<string>;
    stack_root: Generated<string>;
    source_root: Generated<string>;
    auto_assign: Generated<boolean>;
    version: Generated<number>;
    updated_by: string | null;
    updated_at: Date;
  };
  passkeys: {
    id: string;
    user_id: string;
    name: string | null;
    public_key: string;
    credential_id: string;
    counter: number;
    device_type: string;
    backed_up: boolean;
    transports: string | null;
    aaguid: string | null;
    created_at: Generated<Date | null>;
    last_used_at: Date | null;
  };
  project_budgets: {
    project_id: number;
    bytes: number;
  };
  project_teams: {
    project_id: number;
    team_id: number;
  };
  projects: {
    id: GeneratedAlways<number>;
    organization_id: number;
    slug: string;
    name: string;
    platform: string | null;
    is_internal: Generated<boolean>;
    issue_counter: Generated<number>;
    first_event_at: Date | null;
    created_at: Generated<Date>;
    ingest_settings: GeneratedJson;
  };
  quarantine: {
    id: GeneratedAlways<number>;
    organization_id: number;
    project_id: number;
    key_id: number | null;
    event_id: string | null;
    category: string;
    reason: string;
    detail: string;
    attempts: number;
    received_at: Date;
    quarantined_at: Date;
    replayed_at: Date | null;
    spool_id: string;
    position: number;
    item: number;
    record: Buffer;
  };
  quotas: {
    id: GeneratedAlways<number>;
    organization_id: number;
    project_id: number | null;
    key_id: number | null;
    categories: string[];
    item_limit: number;
    window_seconds: number;
    created_at: Generated<Date>;
  };
  release_adoptions: {
    organization_id: number;
    release_id: number;
    project_id: number;
    environment: string;
    adopted_at: Date;
    replaced_at: Date | null;
  };
  release_commits: {
    release_id: number;
    commit_id: number;
    position: number;
  };
  release_heads: {
    release_id: number;
    repository_id: number;
    commit_key: string;
    previous_key: string | null;
  };
  release_projects: {
    release_id: number;
    project_id: number;
    first_seen: Date;
  };
  releases: {
    id: GeneratedAlways<number>;
    organization_id: number;
    version: string;
    first_seen: Date;
    released_at: Date | null;
    package: string | null;
    prerelease: string | null;
    build: string | null;
    version_order: string | null;
    is_parsed: Generated<boolean>;
    started_at: Date | null;
    created_at: Date | null;
    url: string | null;
    ref: string | null;
    status: Generated<string>;
  };
  repositories: {
    id: GeneratedAlways<number>;
    organization_id: number;
    name: string;
    provider: Generated<string>;
    url: string | null;
    link_template: string | null;
    created_at: Date;
  };
  reprocess_scopes: {
    change_id: number;
    kind: string;
    name: string;
  };
  retention_drops: {
    id: GeneratedAlways<number>;
    kind: string;
    day: Date;
    part: Generated<string>;
    reason: string;
    row_count: number;
    bytes: number;
    started_at: Date;
    done_at: Date | null;
    project_id: number | null;
    hours: Generated<number[]>;
  };
  role_processes: {
    process_id: string;
    role: string;
    machine: string;
    version: string;
    started_at: Generated<Date>;
    seen_at: Generated<Date>;
    clock_ahead_ms: number | null;
  };
  saved_search_stars: {
    search_id: number;
    user_id: string;
  };
  saved_searches: {
    id: GeneratedAlways<number>;
    organization_id: number;
    user_id: string;
    name: string;
    query: string;
    sort: string | null;
    is_shared: boolean;
    created_at: Generated<Date>;
    dataset: Generated<string>;
    question: Json | null;
    updated_at: Generated<Date>;
  };
  schema_migrations: {
    version: number;
    name: string;
    checksum: string;
    applied_at: Generated<Date>;
    applied_by: string | null;
    runs_with: string | null;
    tables: Generated<string[]>;
  };
  sessions: {
    id: string;
    expires_at: Date;
    token: string;
    created_at: Generated<Date>;
    updated_at: Date;
    ip_address: string | null;
    user_agent: string | null;
    user_id: string;
    last_used_at: Generated<Date>;
  };
  shared_counts: {
    key: string;
    window_end: Date;
    used: number;
  };
  spool_partitions: {
    topic_id: string;
    partition: number;
    worker_id: string | null;
    lease_until: Generated<Date>;
    position: Generated<number>;
    end_position: Generated<number>;
    oldest_received_at: Date | null;
    records_per_second: Generated<number>;
    lost_records: Generated<number>;
    trouble: string | null;
    updated_at: Generated<Date>;
  };
  spool_positions: {
    spool_id: string;
    position: number;
    updated_at: Generated<Date>;
  };
  spool_workers: {
    topic_id: string;
    worker_id: string;
    name: string;
    seen_at: Date;
  };
  status_page_monitors: {
    organization_id: number;
    monitor_id: number;
  };
  status_pages: {
    organization_id: number;
    slug: string;
    title: string;
    is_public: Generated<boolean>;
    shows_urls: Generated<boolean>;
    updated_at: Date;
  };
  storage_shares: {
    kind: string;
    day: Date;
    project_id: number;
    organization_id: number;
    row_count: number;
    weight: number;
    day_row_count: number;
  };
  team_members: {
    team_id: number;
    user_id: string;
  };
  teams: {
    id: GeneratedAlways<number>;
    organization_id: number;
    slug: string;
    name: string;
    created_at: Generated<Date>;
  };
  tracker_hooks: {
    tracker_id: number;
    delivery_id: string;
    received_at: Date;
  };
  trackers: {
    id: GeneratedAlways<number>;
    organization_id: number;
    kind: string;
    name: string;
    url: string;
    login: string | null;
    account: string;
    token: string;
    hook_secret: string;
    created_by: string | null;
    created_at: Date;
    last_hook_at: Date | null;
  };
  transfer_issues: {
    id: GeneratedAlways<number>;
    transfer_id: number;
    source_id: string;
    project_id: number;
    record: Json | null;
    hashes: Generated<string[]>;
    issue_id: number | null;
    applied: GeneratedJson;
  };
  transfer_items: {
    transfer_id: number;
    kind: string;
    source_id: string;
    target: string | null;
  };
  transfers: {
    id: GeneratedAlways<number>;
    organization_id: number;
    source_key: string;
    source_name: string;
    cursor: string | null;
    started_at: Date;
    finished_at: Date | null;
  };
  two_factors: {
    id: string;
    user_id: string;
    secret: string;
    backup_codes: string;
    verified: Generated<boolean | null>;
    failed_verification_count: Generated<number | null>;
    locked_until: Date | null;
  };
  upload_chunks: {
    organization_id: number;
    checksum: Buffer;
    bytes: number;
    uploaded_at: Date;
  };
  uptime_incidents: {
    id: GeneratedAlways<number>;
    organization_id: number;
    project_id: number;
    monitor_id: number;
    kind: string;
    started_at: Date;
    ended_at: Date | null;
    evidence: Json;
    event_id: string;
    start_told_at: Date | null;
    end_told_at: Date | null;
  };
  uptime_monitors: {
    id: GeneratedAlways<number>;
    organization_id: number;
    project_id: number;
    name: string;
    url: string;
    interval_seconds: number;
    definition: Json;
    secret: string | null;
    environment: string | null;
    owner_user_id: string | null;
    owner_team_id: number | null;
    is_enabled: Generated<boolean>;
    created_by: string | null;
    created_at: Date;
    updated_at: Date;
    state: Generated<string>;
    state_since: Date | null;
    failures_in_row: Generated<number>;
    successes_in_row: Generated<number>;
    last_checked_at: Date | null;
    last_problem: string | null;
    last_duration_ms: number | null;
    certificate_expires_at: Date | null;
    next_check_at: Date;
    is_retry: Generated<boolean>;
    lease_until: Date | null;
    lease_token: string | null;
  };
  users: {
    id: string;
    name: string;
    email: string;
    email_verified: Generated<boolean>;
    image: string | null;
    is_instance_owner: Generated<boolean>;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    two_factor_enabled: Generated<boolean>;
  };
  verifications: {
    id: string;
    identifier: string;
    value: string;
    expires_at: Date;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
};
