import { i18n } from '@lingui/core'
import { screen } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { activateLocale } from '@/locales'
import { renderPart } from '@/test/render'
import { FilePicker } from './FilePicker'

it.each([
  [1, '1 byte'],
  [1023, '1.023 bytes'],
  [1000 * 1024, '1.000 KB'],
  [1.5 * 1024 * 1024, '1,5 MB'],
  [2 * 1024 * 1024, '2,0 MB'],
])('shows a size of %i bytes with the numbers of the locale', (size, text) => {
  i18n.loadAndActivate({ locale: 'en', locales: 'de-DE', messages: {} })
  onTestFinished(() => activateLocale('en'))
  const file = new File([new Uint8Array(size)], 'map.webp')
  const field = { label: 'Picture', accept: '.webp', error: null, onFile: vi.fn(), onClear: vi.fn() }
  renderPart(<FilePicker {...field} file={file} />)
  expect(screen.getByText(`map.webp (${text})`)).toBeVisible()
})
