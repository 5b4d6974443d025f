import type { ButtonProps } from '@chakra-ui/react'
import { config, loginPath } from '@/config'
import { ButtonLink } from '@/shared/components/ButtonLink'

// LoginButton leads to the login page; its label is the game's name.
export function LoginButton(props: ButtonProps) {
  return (
    <ButtonLink to={loginPath} {...props}>
      Login with {config.game.name}
    </ButtonLink>
  )
}
