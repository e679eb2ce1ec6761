"""The policy that ships: small learnt models in numpy that read an instruction, weigh what pages say, and choose."""
