import * as React from 'react'

// For its warnings, React's development build stores where each element was made, until ten thousand in a second. Here
// it stores none: that took a fifth of the time of the tests.
Object.defineProperty(
  Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'),
  'recentlyCreatedOwnerStacks',
  { get: () => Number.POSITIVE_INFINITY, set() {} },
)
