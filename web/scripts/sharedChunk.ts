// The packages that every page needs.
const PACKAGES = [
  '@lingui',
  '@reduxjs',
  '@standard-schema',
  'immer',
  'react',
  'react-redux',
  'redux',
  'redux-thunk',
  'reselect',
  'use-sync-external-store',
]

// What src/main.ts needs to request the session and the page's code: nothing that draws.
const START = [
  'api/',
  'config',
  'locales/index',
  'locales/languages',
  'routes/pages',
  'routes/paths',
  'session/session',
  'store/',
  'ui/storage',
]

// Folders and files of src that every page needs, or so many pages that they are loaded with every one.
const SOURCES = [
  'api/',
  'entities/map/',
  'entities/player/',
  'entities/points/format',
  'entities/progress/OwnProgress',
  'entities/record/',
  'session/',
  'ui/',
]

// What draws in api/.
const NOT_AT_START = ['api/One', 'api/useErrorToast']

// What those folders have for few pages.
const EXCEPTIONS = [
  'api/desk',
  'api/download',
  'api/events',
  'api/generatedDesk',
  'api/generatedSettings',
  'api/settings',
  'entities/map/MapGrid',
  'entities/player/accountLanguage',
  'entities/player/DeletionNotice',
  'entities/player/PlayerCard',
  'entities/player/PlayersTabs',
  'entities/player/playerNames',
  'entities/record/medalTimes',
  'entities/player/RoleBadges',
  'entities/player/skyOf',
  'ui/CopyButton',
  'ui/LinkTabs',
  'ui/DividedList',
  'ui/Facts',
  'ui/FilterSelect',
  'ui/FormDialog',
  'ui/NameSearch',
  'ui/NumberedPagination',
  'ui/OlderPagination',
  'ui/Scene',
  'ui/ShareButton',
  'ui/StepChart',
  'ui/SingleKeys',
  'ui/Toasts',
  'ui/choices',
  'ui/collapsible',
  'ui/dialogButton',
  'ui/field',
  'ui/fileUpload',
  'ui/keptFocus',
  'ui/live',
  'ui/machines',
  'ui/progress',
  'ui/rowTarget',
  'ui/saveFile',
  'ui/theme',
  'ui/usePreview',
]

// What the loaders of routes/pages import of the features.
const OF_LOADERS = /^features\/[\w-]+\/(queries|searchSettings)/

/** Reports whether a module is of a package that every page needs. */
export function isSharedPackage(id: string): boolean {
  const [, inPackages] = id.split('/node_modules/')
  return PACKAGES.some((name) => inPackages?.startsWith(`${name}/`))
}

/** Reports whether a module is among the first that are evaluated: before the page, the router and the components. */
export function isStart(id: string): boolean {
  return isIn(id, START) && !isIn(id, [...NOT_AT_START, ...EXCEPTIONS])
}

/** Reports whether a module belongs to the chunk that every page loads, in place of thirty small ones. */
export function isShared(id: string): boolean {
  // The patterns and their components are too small for chunks of their own.
  if (/\/styled-system\/(jsx|patterns)\//.test(id)) return true
  return OF_LOADERS.test(sourceOf(id)) || (isIn(id, SOURCES) && !isIn(id, EXCEPTIONS))
}

const sourceOf = (id: string): string => id.split('/web/src/')[1] ?? ''

const isIn = (id: string, paths: string[]): boolean => paths.some((path) => sourceOf(id).startsWith(path))
