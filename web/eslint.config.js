import parser from '@typescript-eslint/parser'
import accessibility from 'eslint-plugin-jsx-a11y'
import hooks from 'eslint-plugin-react-hooks'

// React's own rules, which Biome lacks.
export default [
  {
    files: ['src/**/*.{ts,tsx}'],
    languageOptions: { parser, parserOptions: { ecmaFeatures: { jsx: true } } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { 'react-hooks': hooks, 'jsx-a11y': accessibility },
    rules: {
      ...hooks.configs['recommended-latest'].rules,
      ...accessibility.flatConfigs.recommended.rules,
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXOpeningElement[name.name=/^[A-Z]/] > JSXAttribute[name.name='translate']",
          message: 'This is a style. The attribute is htmlTranslate.',
        },
      ],
      // A form that opens takes the focus from the button that opened it.
      'jsx-a11y/no-autofocus': ['error', { ignoreNonDOM: true }],
    },
  },
]
