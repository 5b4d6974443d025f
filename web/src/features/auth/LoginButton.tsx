import { config, loginPath } from '@/config'
import { ButtonLink } from '@/shared/components/Button'

interface Props {
  size: 'sm' | 'lg'
  className?: string | undefined
}

// LoginButton leads to the login page; its label is the game's name.
export function LoginButton(props: Props) {
  return (
    <ButtonLink to={loginPath} {...props}>
      Login with {config.game.name}
    </ButtonLink>
  )
}
