import { Button, type ButtonProps } from '@chakra-ui/react'
import { Link, type LinkProps } from 'react-router'

// ButtonLink looks like a button and goes to a page of the site.
export function ButtonLink({ to, children, ...props }: ButtonProps & Pick<LinkProps, 'to'>) {
  return (
    <Button asChild {...props}>
      <Link to={to}>{children}</Link>
    </Button>
  )
}
