package postgres

// DeepPageSQL is the statement of pages beyond maxScannedOffset.
const DeepPageSQL = deepPageSQL
