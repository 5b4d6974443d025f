// Tests may import everything.
const tests = '^src/test/|\\.test\\.tsx?$'

// The layers of src, from top to bottom: app, routes, features, forms, entities, store, api and session, ui, locales,
// config.
const layer = (name, from, above) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: tests },
  to: { path: `^src/(${above})/`, pathNot: '^src/routes/paths' },
})

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'features-import-no-feature',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/', pathNot: tests },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    layer('routes-below-app', '^src/routes/', 'app'),
    layer('features-below-routes', '^src/features/', 'app|routes'),
    layer('forms-below-features', '^src/forms/', 'app|routes|features'),
    layer('entities-below-forms', '^src/entities/', 'app|routes|features|forms'),
    layer('store-below-entities', '^src/store/', 'app|routes|features|forms|entities'),
    layer('api-below-store', '^src/(api|session)/', 'app|routes|features|forms|entities|store'),
    layer('ui-below-api', '^src/ui/', 'app|routes|features|forms|entities|store|api|session'),
    layer('locales-is-lowest', '^src/locales/', 'app|routes|features|forms|entities|store|api|session|ui'),
    {
      name: 'only-ui-draws',
      comment: 'Components and styles come from @/ui, under the names of Chakra and Panda.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/ui/' },
      to: { path: '@chakra-ui|@ark-ui|styled-system' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules|styled-system' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  },
}
