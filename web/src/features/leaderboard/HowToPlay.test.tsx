import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { config } from '@/config'
import { aMap } from '@/test/fixtures'
import { renderPart } from '@/test/render'
import { HowToPlay } from './HowToPlay'

it('links the mod, or the chat while its address is not known', () => {
  renderPart(<HowToPlay map={aMap()} />)
  expect(screen.getByRole('link', { name: 'Ask in the chat' })).toHaveAttribute('href', config.chatUrl)
  vi.spyOn(config, 'modUrl', 'get').mockReturnValue('https://mod.test')
  renderPart(<HowToPlay map={aMap()} />)
  expect(screen.getByRole('link', { name: 'the replay mod' })).toHaveAttribute('href', 'https://mod.test')
})
