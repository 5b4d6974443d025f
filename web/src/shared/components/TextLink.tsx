import { Link as ChakraLink, type LinkProps as ChakraLinkProps } from '@chakra-ui/react'
import { Link, type LinkProps } from 'react-router'

// TextLink is a link inside text or a table, to a page of the site.
export function TextLink({ to, children, ...props }: ChakraLinkProps & Pick<LinkProps, 'to'>) {
  return (
    <ChakraLink asChild color="brand.fg" fontWeight="medium" {...props}>
      <Link to={to}>{children}</Link>
    </ChakraLink>
  )
}
