import { fireEvent, render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Avatar } from './Avatar'

it('draws the figure where an image does not load, and tries the next image', () => {
  const player = { name: 'cloudstep', skinImageUrl: '/media/skins/gone.webp', skinColor: '#8e2482' }
  const { container, rerender } = render(<Avatar player={player} />)
  fireEvent.error(container.querySelector('img') as Element)
  expect(container.querySelector('img')).toBeNull()
  expect(container.querySelector('circle')).toHaveAttribute('fill', '#8e2482')
  rerender(<Avatar player={{ ...player, skinImageUrl: '/media/skins/new.webp' }} />)
  expect(container.querySelector('img')).toHaveAttribute('src', '/media/skins/new.webp')
})
