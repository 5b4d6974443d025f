import * as React from 'react'

// In development React keeps the stack of where each element was made, for its warnings, and only of the first ten thousand
// each second. Here it keeps none: that was a fifth of the time of the tests.
Object.defineProperty(
  Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'),
  'recentlyCreatedOwnerStacks',
  { get: () => Number.POSITIVE_INFINITY, set() {} },
)
