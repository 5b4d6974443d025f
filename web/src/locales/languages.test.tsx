import { screen } from '@testing-library/react'
import { expect, it, onTestFinished } from 'vitest'
import { renderRoute } from '@/test/render'
import { activateLocale } from '.'

it('changes the language in place', async () => {
  const description = document.createElement('meta')
  description.name = 'description'
  document.head.append(description)
  onTestFinished(() => {
    description.remove()
    activateLocale('en')
    // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store API.
    document.cookie = 'lang=; max-age=0'
  })
  const { user } = renderRoute('/mapSeries')
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'Deutsch')
  expect(await screen.findByRole('combobox', { name: 'Sprache' })).toHaveValue('de')
  expect(screen.queryByText('Return to Home')).not.toBeInTheDocument()
  expect(screen.getByText('Jeder Frame zählt.')).toBeVisible()
  expect(document.documentElement).toHaveAttribute('lang', 'de')
  expect(description.content).toMatch(/^Parkour-Maps, Bestenlisten/)
  expect(document.cookie).toBe('lang=de')
})
