import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { config } from '@/config'
import { aMap } from '@/test/fixtures'
import { renderPart } from '@/test/render'
import { HowToPlay } from './HowToPlay'

it('links the mod, or the chat while its address is not known', () => {
  renderPart(<HowToPlay map={aMap()} />)
  expect(screen.getByRole('link', { name: 'Ask in the chat' })).toHaveAttribute('href', config.chatUrl)
  renderPart(<HowToPlay map={aMap()} modUrl="https://mod.test" />)
  expect(screen.getByRole('link', { name: 'the replay mod' })).toHaveAttribute('href', 'https://mod.test')
})
