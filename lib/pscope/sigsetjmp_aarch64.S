// sigsetjmp(3): notes the user thread's signal mask, then becomes libc's function, which must find
// the caller's frame on top of the stack. See wrap_jump.c.

	.text

	.globl	__sigsetjmp
	.type	__sigsetjmp, %function
	.p2align 4
__sigsetjmp:
	stp	x0, x1, [sp, #-32]!
	str	x30, [sp, #16]
	bl	jump_prepare
	mov	x16, x0
	ldr	x30, [sp, #16]
	ldp	x0, x1, [sp], #32
	br	x16
	.size	__sigsetjmp, . - __sigsetjmp

	.section .note.GNU-stack, "", %progbits
